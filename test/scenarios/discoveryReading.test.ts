// Resources, templates and prompts of real servers, in both eras.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { complete } from '../../src/core/discovery/completion.ts';
import { getPrompt, promptArguments } from '../../src/core/discovery/prompts.ts';
import { readResource } from '../../src/core/discovery/resources.ts';
import { expandTemplate, templateVariables } from '../../src/core/discovery/uriTemplate.ts';
import { useFixtures } from '../support/connectedFixture.ts';

for (const [era, protocol] of [
  ['legacy', 'legacy'],
  ['modern', '2026-07-28'],
] as const) {
  describe(`reading from a ${era} server`, () => {
    const open = useFixtures({ protocol });
    const connect = () => open('basic-both');

    it('lists resources and reads text and bytes [DISC-7a]', async () => {
      const { snapshot, source } = await connect();
      assert.deepEqual(
        snapshot.resources.map(({ key }) => key),
        ['fixture://text', 'fixture://binary', 'fixture://counter'],
      );
      const text = (await readResource(source, 'fixture://text'))['contents'] as { text: string }[];
      assert.equal(text[0]?.text, 'text of the resource');
      const bytes = (await readResource(source, 'fixture://binary'))['contents'] as { blob: string }[];
      assert.equal(bytes[0]?.blob, 'AAECA/8=');
    });

    it('says that a resource is not there [DISC-7a]', async () => {
      const { source } = await connect();
      await assert.rejects(readResource(source, 'fixture://nowhere'), {
        code: 'unknownResource',
        outcome: 'completed',
      });
    });

    it('fills a template in with what the server suggests, and reads it [DISC-7c, DISC-7a]', async () => {
      const { snapshot, source } = await connect();
      const uriTemplate = snapshot.resourceTemplates[0]!.key;
      assert.deepEqual(templateVariables(uriTemplate), ['name']);
      const { values } = await complete(source, { kind: 'resource', uriTemplate }, { name: 'name', value: 'Ber' });
      assert.deepEqual(values, ['Berlin', 'Bern']);
      const result = await readResource(source, expandTemplate(uriTemplate, { name: values[0]! }));
      assert.match(JSON.stringify(result['contents']), /Berlin/);
    });

    it('lists prompts with their arguments and gets one [DISC-7d, DISC-7e, DISC-7c]', async () => {
      const { snapshot, source, log } = await connect();
      const review = snapshot.prompts.find(({ name }) => name === 'review')!;
      assert.deepEqual(promptArguments(review), [
        { name: 'language', description: 'of the code', required: true },
        { name: 'style', required: false },
      ]);
      const { values } = await complete(source, { kind: 'prompt', name: 'review' }, { name: 'language', value: 'p' });
      assert.deepEqual(values, ['python', 'perl']);
      await assert.rejects(getPrompt(source, 'review', {}), { code: 'argumentsInvalid', outcome: 'notSent' });
      assert.equal(log.asked('prompts/get'), 0);
      const result = await getPrompt(source, 'review', { language: 'perl' });
      assert.match(JSON.stringify(result['messages']), /Review this perl code/);
    });
  });
}
