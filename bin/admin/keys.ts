import { createKey, revokeKeyById, rotateKey } from '../../lib/workspaces/manage.ts';
import { listKeys } from '../../lib/workspaces/store.ts';
import { type Commands, print } from './command.ts';

const keepIt = 'Store the key now: it is not shown again.';

export const keyCommands: Commands = {
  'key create': {
    verb: 'key.create',
    words: ['workspace id'],
    optional: ['name'],
    summary: 'issue an API key, which is shown only once',
    run: async (operator, workspaceId = '', name = 'API key') => {
      const { key, apiKey } = await createKey(operator, { workspaceId, name });
      print([{ id: key.id, name: key.name, apiKey }]);
      console.log(keepIt);
    },
  },
  'key list': {
    verb: 'key.read',
    words: ['workspace id'],
    summary: 'list the API keys of a workspace, including revoked ones, without their values',
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
    verb: 'key.rotate',
    words: ['workspace id', 'key id'],
    summary: 'replace an API key with a new one; its id and its rhythms stay',
    detail:
      'The old key is rejected within 30 seconds. To rotate without an interruption, create a second key, start using it, and revoke the first.',
    run: async (operator, workspaceId = '', keyId = '') => {
      const { key, apiKey } = await rotateKey(operator, { workspaceId, keyId });
      print([{ id: key.id, name: key.name, apiKey }]);
      console.log(`${keepIt} Warm functions may accept the old one for up to 30 seconds more.`);
    },
  },
  'key revoke': {
    verb: 'key.revoke',
    words: ['workspace id', 'key id'],
    summary: 'revoke an API key permanently',
    detail: 'It is rejected within 30 seconds.',
    run: async (operator, workspaceId = '', keyId = '') => {
      await revokeKeyById(operator, { workspaceId, keyId });
      console.log('Revoked. Warm functions may accept the key for up to 30 seconds more.');
    },
  },
};
