// Failures of the system in words of our own: its messages repeat paths, and name calls that no person made.

/** Continues a sentence. `special` has the words of a place where a code means something else. */
export function systemDetail(error: unknown, special: Readonly<Record<string, string>> = {}): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return special[code] ?? systemWords[code] ?? (code === '' ? 'an unexpected failure' : `the system says ${code}`);
}

const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'something on its path is no folder',
  EEXIST: 'something on its path is no folder',
  ENOENT: 'its folder does not exist',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'another program keeps it open',
  EMFILE: 'too many files are open',
  EIO: 'the disk failed',
};
