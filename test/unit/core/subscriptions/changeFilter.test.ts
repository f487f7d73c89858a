import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changeFilter, changeOf, kindsOfFilter, notHonoured } from '../../../../src/core/subscriptions/changeFilter.ts';

describe('changeFilter', () => {
  it('asks for the changes that the server declares', () => {
    assert.deepEqual(changeFilter({ tools: { listChanged: true }, prompts: { listChanged: false }, resources: {} }), {
      toolsListChanged: true,
    });
    assert.equal(changeFilter({ tools: {}, logging: { listChanged: true } }), undefined);
  });
});

describe('notHonoured', () => {
  it('names what was not acknowledged', () => {
    const asked = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a', 'b'] };
    assert.deepEqual(notHonoured(asked, { ...asked, more: 1 }), []);
    assert.deepEqual(notHonoured(asked, { toolsListChanged: true, resourceSubscriptions: ['a'] }), [
      'promptsListChanged',
      'resourceSubscriptions',
    ]);
    assert.deepEqual(notHonoured({ toolsListChanged: true }, { toolsListChanged: 'yes' }), ['toolsListChanged']);
  });
});

describe('changeOf', () => {
  it('knows which lists a notification is about', () => {
    assert.deepEqual(changeOf('notifications/resources/list_changed')?.kinds, ['resources', 'resourceTemplates']);
    assert.deepEqual(changeOf('notifications/tools/list_changed')?.kinds, ['tools']);
    assert.equal(changeOf('notifications/message'), undefined);
  });

  it('knows which lists a filter listens to', () => {
    assert.deepEqual(kindsOfFilter({ promptsListChanged: true, resourceSubscriptions: ['a'] }), ['prompts']);
  });
});
