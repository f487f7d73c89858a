import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLoudEnough, wantLevel } from '../../../src/gateway/logLevels.ts';

describe('log levels of clients', () => {
  it('let through what is at least as loud as was asked for, and everything where nothing was', () => {
    assert.deepEqual(
      (['info', 'warning', 'emergency', 'unknown', 7] as const).map((level) => isLoudEnough(level, 'warning')),
      [false, true, true, false, false],
    );
    assert.equal(isLoudEnough('unknown', undefined), true);
  });

  it('ask a server for the most talkative one that anybody there wants, until they leave', () => {
    const [place, elsewhere, one, two] = [{}, {}, {}, {}];
    assert.equal(wantLevel(place, one, 'error'), 'error');
    assert.equal(wantLevel(place, two, 'debug'), 'debug');
    assert.equal(wantLevel(place, one, 'critical'), 'debug');
    assert.equal(wantLevel(elsewhere, one, 'alert'), 'alert');
    assert.equal(wantLevel(place, two, undefined), 'critical');
    assert.equal(wantLevel(place, one, undefined), undefined);
  });
});
