/** How the command line ends; `--help` tells them. */
export const exitCodes = {
  ok: 0,
  /** `call`: the tool answered with an error. `doctor`: a check failed. */
  negative: 1,
  /** The configuration was refused. */
  configRefused: 2,
  /** `call`: the call was not made, or got no answer. */
  callFailed: 3,
  usage: 64,
  internal: 70,
  /** stdout could not be written, as on a full disk. */
  outputFailed: 74,
  hangup: 129,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;
