// The schema thread from its source: worker threads do not inherit tsx.
import { register } from 'tsx/esm/api';

register();
await import('../../src/core/tools/schemaWorker.ts');
