import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { createWorkspace } from '../../../lib/workspaces/manage.ts';
import { anOperator } from '../../support/acts.ts';
import { type Call, openApi } from '../../support/api.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace } from '../../support/builders.ts';
import { fromPanel, type SignedInPerson, signInMember } from '../../support/panel.ts';
import { storeWebhook } from '../../support/webhooks.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let apiKey: string;
let owner: SignedInPerson;
beforeEach(async () => {
  ({
    apiKey,
    context: { workspaceId },
  } = await openWorkspace(table));
  owner = await signInMember(table, workspaceId);
});

/** Each request that names something, with the field of the name. */
const naming: Readonly<Record<string, readonly [string, (name: string) => ReturnType<Call>]>> = {
  'a workspace': ['name', (name) => call('updateWorkspace', { apiKey, body: { name } })],
  'a key': ['name', (name) => call('createKey', fromPanel(owner, workspaceId, { body: { name } }))],
  'a new endpoint': [
    'description',
    (description) =>
      call('createWebhook', {
        apiKey,
        body: { url: 'http://127.0.0.1:9/', events: ['*'], description },
      }),
  ],
  'an endpoint': [
    'description',
    async (description) => {
      const { id } = await storeWebhook(table, workspaceId);
      return call('updateWebhook', { apiKey, path: { id }, body: { description } });
    },
  ],
  'an automation': [
    'name',
    async (name) => {
      const { id } = await storeAutomation(table, workspaceId);
      return call('updateCommentAutomation', { apiKey, path: { id }, body: { name } });
    },
  ],
};

describe.each(Object.entries(naming))('the name of %s', (_what, [param, request]) => {
  it.each([
    'demo\u001B[31m',
    'de\nmo',
    'demo\u202Ex',
    'de\u200Bmo',
    'demo\u3164',
    'demo\uFE0F',
    'de\u200Dmo',
  ])('is refused with a character that nobody sees: %j', async (name) => {
    expect(await request(name)).toMatchObject({ status: 400, body: { param } });
  });

  it.each(['Südlicht ☕', '👨‍👩‍👧 Family', 'قهوة'])('may be %s', async (name) => {
    expect((await request(name)).status).toBeLessThan(300);
  });
});

describe('the name of a workspace', () => {
  it.each([
    'Instagram',
    ' instagram ',
    'INSTAGRAM',
    'Insta gram',
    'Instagram.',
    'lnstagram',
    '\u0406nstagr\u0430m',
    'Ｉｎｓｔａｇｒａｍ',
    'Ínstagrám',
    '1nstagram',
    'Facebook',
    'faceb00k',
    'Linked In',
    'Tik-Tok',
    'YouTube',
    'Threads',
    'Pinterest',
    'Meta',
  ])('is not that of a platform: %s', async (name) => {
    const { status, body } = await call('updateWorkspace', { apiKey, body: { name } });
    expect([status, body['param']]).toEqual([400, 'name']);
    await expect(createWorkspace(anOperator(table, 0), { name })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it.each(['Instagram team of Harbour', 'Threads & Needles', 'Metal works', 'Harbour Coffee'])(
    'may contain one: %s',
    async (name) => {
      expect((await call('updateWorkspace', { apiKey, body: { name } })).status).toBe(200);
    },
  );
});
