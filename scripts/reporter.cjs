// Mocha reporter: prints like `spec` and, where TOTALS_FILE is set, writes {"passed","failed","skipped"} to that file,
// the skipped ones by their full titles.
// A run ends when nothing keeps its process alive. What still does some time after the last test is a failure of its
// own, which names what is open; a run never hangs on it.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  #skipped = [];

  constructor(runner, options) {
    super(runner, options);
    runner.on('pending', (test) => this.#skipped.push(test.fullTitle()));
    runner.once('end', () => {
      this.#writeTotals(0);
      setTimeout(() => this.#endByForce(), patience).unref();
    });
  }

  #writeTotals(more) {
    const { passes, failures } = this.stats;
    const file = process.env.TOTALS_FILE;
    const totals = { passed: passes, failed: failures + more, skipped: this.#skipped };
    if (file) writeFileSync(file, JSON.stringify(totals));
  }

  #endByForce() {
    const open = process.getActiveResourcesInfo();
    console.error(
      `The tests are over, and their process was kept alive for ${patience / 1000} s by: ${open.join(', ')}`,
    );
    this.#writeTotals(1);
    // After mocha's own listener, which sets the code of its totals.
    process.once('exit', () => (process.exitCode = 1));
    process.exit();
  }
};

/** Milliseconds from the last test to the end of the process. */
const patience = 10_000;
