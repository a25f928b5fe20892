import { setKeyRateLimit, setWorkspaceRateLimit } from '../../lib/workspaces/rate-limits.ts';
import type { Commands } from './command.ts';

const number = 'requests per minute';
const soon = 'Warm functions follow within 30 seconds.';
const detail =
  'Give a whole number from 1 to 60,000, or `default` for the limit of the stage, which may have none. It costs a write per request. ' +
  'Requests above it get 429, which says which limit refused them.';

export const rateLimitCommands: Commands = {
  'key rate-limit': {
    verb: 'key.set-rate-limit',
    words: ['workspace id', 'key id', number],
    summary: 'limit the requests per minute of one API key',
    detail: `${detail} Rotating the key keeps it.`,
    run: async (operator, workspaceId = '', keyId = '', given = '') => {
      const ratePerMinute = readRate(given);
      await setKeyRateLimit(operator, { workspaceId, keyId, ratePerMinute });
      operator.out.result({ keyId, ratePerMinute: ratePerMinute ?? null }, [
        `The key ${saying(ratePerMinute)}`,
      ]);
      operator.out.note(soon);
    },
  },
  'workspace rate-limit': {
    verb: 'workspace.set-rate-limit',
    words: ['workspace id', number],
    summary: 'limit the requests per minute of all API keys of a workspace together',
    detail: `${detail} Keys that are created later have it too.`,
    run: async (operator, workspaceId = '', given = '') => {
      const ratePerMinute = readRate(given);
      await setWorkspaceRateLimit(operator, { workspaceId, ratePerMinute });
      operator.out.result({ workspaceId, ratePerMinute: ratePerMinute ?? null }, [
        `The workspace ${saying(ratePerMinute)}`,
      ]);
      operator.out.note(soon);
    },
  },
};

/** Reads a limit. Returns `undefined` for the limit of the stage, and NaN for text that is not a number; validation rejects it. */
export const readRate = (given: string): number | undefined =>
  given === 'default' ? undefined : /^\d+$/.test(given) ? Number(given) : Number.NaN;

const saying = (ratePerMinute: number | undefined): string =>
  ratePerMinute === undefined
    ? 'has the limit of the stage again.'
    : `may make ${ratePerMinute} requests per minute.`;
