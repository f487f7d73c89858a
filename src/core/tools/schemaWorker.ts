// The thread in which schemas of servers are put to use (TOOL-3): it may hang or run out of memory, and is then ended
// from outside. It imports nothing of ours, so that it is one small file in dist.
// The validator interprets schemas. Ajv would compile them to JavaScript, and no text of a server becomes code here;
// a schema serves for a few calls, so compiling would cost more than it saves as well.
import { parentPort } from 'node:worker_threads';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import type { CheckAnswer, CheckJob, CheckRequest, Final } from './schemaMessages.ts';

const validator = new CfWorkerJsonSchemaValidator({ shortcircuit: false });

function check({ schema, value }: CheckJob): Final {
  try {
    const verdict = validator.getValidator(schema)(value);
    return verdict.valid ? { kind: 'valid' } : { kind: 'invalid', text: verdict.errorMessage };
  } catch (error) {
    return { kind: 'unusable', text: error instanceof Error ? error.message : String(error) };
  }
}

// Warm up: the first check of a real schema is measured against its time limit.
check({ schema: { type: 'object', properties: { a: { pattern: '^a$' } } }, value: { a: 'b' } });

parentPort?.on('message', ({ job, port }: CheckRequest) => {
  const answer = (message: CheckAnswer): void => {
    port.postMessage(message);
  };
  // Said first: from here on the time counts.
  answer({ kind: 'began' });
  answer(check(job));
  port.close();
});
parentPort?.postMessage('ready');
