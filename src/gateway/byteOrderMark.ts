// Some programs begin what they write with the mark of UTF-8. It says nothing, and JSON does not know it.

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;
}
