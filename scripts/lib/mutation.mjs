// One guard of the product, broken: what is replaced where, and the test that has to fail then. Pure.

/**
 * @typedef {object} Mutation
 * @property {readonly string[]} clauses ids of test/requirements
 * @property {string} guard what is broken, in a few words
 * @property {string} file path from the repository's root
 * @property {string} text stands in the file exactly once
 * @property {string} becomes
 * @property {string} test path from the repository's root
 * @property {string} title of the test, or a part of it and of what it stands in
 */

/**
 * @typedef {'killed' | 'survived' | 'timed out' | 'broke' | 'no test'} Verdict
 * `broke`: something else than an assertion failed, which shows nothing.
 */

/**
 * The file's text with the guard broken.
 * @param {string} source
 * @param {Mutation} mutation
 * @throws {Error} where the text does not stand there exactly once
 */
export function broken(source, { file, text, becomes, guard }) {
  const count = source.split(text).length - 1;
  if (count !== 1 || text === becomes) {
    throw new Error(`${file} holds the text of "${guard}" ${String(count)} times, not once:\n${text}`);
  }
  return source.replace(text, () => becomes);
}

/**
 * @typedef {object} Report of mocha's reporter `json`
 * @property {readonly { readonly fullTitle: string }[]} passes
 * @property {readonly { readonly fullTitle: string, readonly err: Failure }[]} failures
 */

/**
 * @typedef {object} Failure
 * @property {string} [code]
 * @property {string} [name]
 * @property {string} [message]
 * @property {Failure} [cause]
 */

/**
 * Whether tests of this title ran, and none of them failed.
 * @param {Report | undefined} report
 * @param {string} title
 */
export function passes(report, title) {
  /** @param {{ readonly fullTitle: string }} test */
  const isMeant = ({ fullTitle }) => fullTitle.includes(title);
  return report !== undefined && report.passes.some(isMeant) && !report.failures.some(isMeant);
}

/**
 * What a run of one test says of a broken guard; undefined where mocha wrote no report.
 * @param {Report | undefined} report
 * @returns {Verdict}
 */
export function verdictOf(report) {
  if (report === undefined) return 'broke';
  const { passes, failures } = report;
  if (failures.some(({ err }) => isAssertion(err))) return 'killed';
  if (failures.some(({ err }) => isTimeout(err))) return 'timed out';
  if (failures.length > 0) return 'broke';
  return passes.length > 0 ? 'survived' : 'no test';
}

/**
 * @param {Failure | undefined} error
 * @returns {boolean}
 */
function isAssertion(error) {
  return error !== undefined && (error.code === 'ERR_ASSERTION' || isAssertion(error.cause));
}

/**
 * Of mocha, and of a test that waited for a state (test/support).
 * @param {Failure} error
 */
function isTimeout({ code, message = '' }) {
  return code === 'ERR_MOCHA_TIMEOUT' || /did not come true within|^waited \d+ ms for/.test(message);
}
