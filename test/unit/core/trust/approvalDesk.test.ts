import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ConfiguredServer, ServerKey } from '../../../../src/core/config/model.ts';
import type { ApprovalAnswer, ApprovalPrompt, ApprovalRequest } from '../../../../src/core/ports.ts';
import type { Launch, LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { ApprovalDesk, type ApprovalDeskOptions, type LaunchSource } from '../../../../src/core/trust/approvalDesk.ts';
import { configuredServer } from '../../../support/configuredServer.ts';
import { memoryOf } from '../../../support/managerWorld.ts';

const never = new AbortController().signal;
const theirs = configuredServer('a', { scope: { kind: 'project', folder: '/work', name: 'work' } });
const own = configuredServer('a');

describe('the desk where launches are approved', () => {
  let kept: Map<ServerKey, LaunchFingerprint>;
  /** What is on disk now, and what the person does while they are asked for a value. */
  let onDisk: string;
  let whileAsked: () => void;
  beforeEach(() => {
    kept = new Map();
    onDisk = 'one';
    whileAsked = () => undefined;
  });

  const fingerprint = ({ key }: ConfiguredServer) => `${key} ${onDisk}` as LaunchFingerprint;
  const launches: LaunchSource = {
    identify: (server) => {
      const what = { kind: 'stdio', command: onDisk, executable: onDisk, args: [], cwd: '/', env: {} } as const;
      const { id, scope, file } = server;
      return Promise.resolve({ id, scope, file, fingerprint: fingerprint(server), what });
    },
    resolve: (server) => {
      whileAsked();
      return Promise.resolve({ kind: 'stdio', fingerprint: fingerprint(server) } as Launch);
    },
  };
  const says = (answer: ApprovalAnswer | undefined): ApprovalPrompt => ({
    ask: (requests) =>
      Promise.resolve(new Map(requests.flatMap(({ fingerprint: of }) => (answer ? [[of, answer]] : [])))),
  });
  const deskWith = (options: ApprovalDeskOptions): ApprovalDesk =>
    new ApprovalDesk(launches, { memory: memoryOf(kept), ...options });
  const refused = (desk: ApprovalDesk, server = theirs): Promise<void> =>
    assert.rejects(desk.launch(server, never), { code: 'blockedApproval' });

  it('approves nothing that nobody answered: a closed question, a missing one, one that was given up', async () => {
    for (const options of [{ prompt: says(undefined) }, {}, { prompt: says('refuse') }]) {
      const desk = deskWith(options);
      const standings = await desk.ask([theirs, own], never);
      assert.deepEqual([...standings.values()].includes('approved'), false);
      await refused(desk);
      await refused(desk, own);
    }
    const asking = new AbortController();
    const late: ApprovalPrompt = {
      ask: (requests: readonly ApprovalRequest[]) => {
        asking.abort();
        return Promise.resolve(new Map(requests.map((request) => [request.fingerprint, 'remember'])));
      },
    };
    const desk = deskWith({ prompt: late });
    await desk.ask([theirs], asking.signal).catch(() => undefined);
    await refused(desk);
    assert.deepEqual([...kept], []);
  });

  for (const word of ['yes', 'Refuse', 'deny', '', true, false, null, 0, {}] as const) {
    it(`takes ${JSON.stringify(word)} for no answer: only the words for a yes are one`, async () => {
      const desk = deskWith({ prompt: says(word as ApprovalAnswer) });
      const junk = { ask: () => Promise.resolve(new Map([[fingerprint(theirs), word as ApprovalAnswer]])) };
      for (const each of [desk, deskWith({ prompt: junk })]) {
        const standings = await each.ask([theirs], never);
        assert.deepEqual([...standings.values()], ['waiting']);
        await refused(each);
      }
      assert.deepEqual([...kept], []);
    });
  }

  it('asks again about a launch that comes back after another one was approved in its place', async () => {
    const desk = deskWith({ prompt: says('once') });
    await desk.ask([theirs], never);
    onDisk = 'another';
    await desk.ask([theirs], never);
    assert.equal((await desk.launch(theirs, never)).kind, 'stdio');
    onDisk = 'one';
    await refused(desk);
    // The same where another window approved the one between.
    await desk.ask([theirs], never);
    onDisk = 'another';
    kept.set(theirs.key, fingerprint(theirs));
    assert.equal(await desk.standing(theirs), 'approved');
    kept.clear();
    onDisk = 'one';
    await refused(desk);
  });

  it('holds an answer for the launch that it was given to, of that definition', async () => {
    const desk = deskWith({ prompt: says('once') });
    await desk.ask([theirs], never);
    assert.equal((await desk.launch(theirs, never)).kind, 'stdio');
    await refused(desk, own);
    onDisk = 'another';
    await refused(desk);
    assert.deepEqual([...kept], [], 'what is approved once is not kept');
  });

  it('looks again at launch and approval after a person was asked for a value', async () => {
    const desk = deskWith({ prompt: says('remember') });
    await desk.ask([theirs], never);
    whileAsked = () => (onDisk = 'swapped');
    await refused(desk);
    onDisk = 'one';
    // Another window of the person forgets what this one goes by.
    whileAsked = () => kept.clear();
    await refused(desk);
  });

  it("asks about the person's own server as about any other, and about none only where it was told so", async () => {
    await refused(deskWith({}), own);
    await refused(deskWith({ approvesAll: undefined }), own);
    assert.equal((await deskWith({ approvesAll: true }).launch(own, never)).kind, 'stdio');
  });
});
