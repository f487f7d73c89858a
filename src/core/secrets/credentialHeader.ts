/** Whether a header is named like one that carries a credential: no project's file may hold it (TRUST-6). */
export function isCredentialHeader(name: string): boolean {
  return /authori[sz]ation|cookie|token|secret|credential|passw|(?:^|[-_.])(?:auth|jwt)(?:[-_.]|$)|(?:api|access|auth|account|master|private|subscription|functions?)[-_.]?key/i.test(
    name,
  );
}
