// Mocha reporter: prints like `spec`, says which tests passed at a second try only and why the first failed, and, where TOTALS_FILE is set, writes {"passed","failed","skipped"} to that file.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on('retry', (test, error) => console.log(`    ! once more: ${test.fullTitle()}\n      ${error.message}`));
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env.TOTALS_FILE;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
