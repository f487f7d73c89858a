// The requests that open a connection: their answers tell the era, and so do their failures.

export function isHandshake(method: string): boolean {
  return method === 'initialize' || method === 'server/discover';
}
