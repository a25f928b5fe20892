import { requireRate } from '../../lib/workspaces/key-limits.ts';
import { setKeyRateLimit, setWorkspaceRateLimit } from '../../lib/workspaces/rate-limits.ts';
import { type Commands, operatorCommand } from './command.ts';
import type { Read } from './values.ts';

const soon = 'Warm functions follow within 30 seconds.';
const detail =
  'Give a whole number from 1 to 60,000, or `default` for the limit of the stage, which may have none. It costs a write per request. ' +
  'Requests above it get 429, which says which limit refused them.';

/** Reads a limit; `undefined` is the limit of the stage. */
export const readRate: Read<number | undefined> = (_, text) => {
  if (text === 'default') return undefined;
  const ratePerMinute = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  requireRate(ratePerMinute);
  return ratePerMinute;
};

export const rateLimitCommands: Commands = {
  'key rate-limit': operatorCommand({
    verb: 'key.set-rate-limit',
    words: { workspaceId: {}, keyId: {}, requestsPerMinute: { read: readRate } },
    summary: 'limit the requests per minute of one API key',
    detail: `${detail} Rotating the key keeps it.`,
    run: async (operator, { workspaceId, keyId, requestsPerMinute: ratePerMinute }) => {
      await setKeyRateLimit(operator, { workspaceId, keyId, ratePerMinute });
      operator.out.result({ keyId, ratePerMinute: ratePerMinute ?? null }, [
        `The key ${saying(ratePerMinute)}`,
      ]);
      operator.out.note(soon);
    },
  }),
  'workspace rate-limit': operatorCommand({
    verb: 'workspace.set-rate-limit',
    words: { workspaceId: {}, requestsPerMinute: { read: readRate } },
    summary: 'limit the requests per minute of all API keys of a workspace together',
    detail: `${detail} Keys that are created later have it too.`,
    run: async (operator, { workspaceId, requestsPerMinute: ratePerMinute }) => {
      await setWorkspaceRateLimit(operator, { workspaceId, ratePerMinute });
      operator.out.result({ workspaceId, ratePerMinute: ratePerMinute ?? null }, [
        `The workspace ${saying(ratePerMinute)}`,
      ]);
      operator.out.note(soon);
    },
  }),
};

const saying = (ratePerMinute: number | undefined): string =>
  ratePerMinute === undefined
    ? 'has the limit of the stage again.'
    : `may make ${ratePerMinute} requests per minute.`;
