import { createKey, revokeKeyById, rotateKey } from '../../lib/workspaces/manage.ts';
import { listKeys } from '../../lib/workspaces/store.ts';
import { type Commands, print } from './command.ts';

const keepIt = 'Keep the key now: it is not shown again.';

export const keyCommands: Commands = {
  'key create': {
    words: ['workspace id'],
    optional: ['name'],
    summary: 'issue a key; it is shown this once',
    run: async (operator, workspaceId = '', name = 'API key') => {
      const { key, apiKey } = await createKey(operator, { workspaceId, name });
      print([{ id: key.id, name: key.name, apiKey }]);
      console.log(keepIt);
    },
  },
  'key list': {
    words: ['workspace id'],
    summary: 'the keys of a workspace, revoked ones too; never what opens anything',
    run: async ({ table }, workspaceId = '') => {
      const keys = await listKeys(table, workspaceId);
      print(
        keys.map(({ id, name, createdAt, revokedAt }) => ({
          id,
          name,
          createdAt,
          revokedAt: revokedAt ?? '',
        })),
      );
    },
  },
  'key rotate': {
    words: ['workspace id', 'key id'],
    summary: 'issue a new key in the place of an old one; its id and its rhythms stay',
    detail:
      'The old key is refused within 30 seconds. To change over without a gap, create a second key, put it to use, and revoke the first.',
    run: async (operator, workspaceId = '', keyId = '') => {
      const { key, apiKey } = await rotateKey(operator, { workspaceId, keyId });
      print([{ id: key.id, name: key.name, apiKey }]);
      console.log(`${keepIt} Running functions may still take the old one for up to 30 seconds.`);
    },
  },
  'key revoke': {
    words: ['workspace id', 'key id'],
    summary: 'take a key away for good',
    detail: 'It is refused within 30 seconds.',
    run: async (operator, workspaceId = '', keyId = '') => {
      await revokeKeyById(operator, { workspaceId, keyId });
      console.log('Revoked. Running functions may still take the key for up to 30 seconds.');
    },
  },
};
