import { Redactor } from '../../base/redact.ts';

/** Every secret that a launch of this window was given, a diagnosis included: no surface of the editor shows one. */
export const knownSecrets = new Redactor();
