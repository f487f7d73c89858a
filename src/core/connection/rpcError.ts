// A server's own JSON-RPC error, whole: what a gateway has to pass on unchanged. It travels as the `cause` of a
// ManagerError `protocolError`, whose data holds only what a sentence needs.

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  /** As the server sent it; undefined where it sent none. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
