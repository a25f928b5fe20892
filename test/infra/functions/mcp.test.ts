import { expect, it } from 'vitest';
import { apiFunctions, functionsOf } from '../../../infra/functions/api.ts';
import { verbs } from '../../../lib/access/verbs.ts';
import { functionName, type Operation } from '../../../lib/api-contract/operation.ts';
import { mcpOperation } from '../../../lib/mcp/operations.ts';

const { calls = [] } = mcpOperation;
const mcp = apiFunctions.find(({ name }) => name === functionName(mcpOperation.handler));

/** Returns each right as a text, such as `writes.PutItem POST#`. */
function flat(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.map((each) => `${path} ${each}`);
  if (typeof value !== 'object' || value === null) return [`${path} ${value}`];
  return Object.entries(value).flatMap(([name, each]) => flat(each, path === '' ? name : `${path}.${name}`));
}

const isChange = ({ verb }: Operation) => verb !== undefined && !verbs[verb].isRead;

/** The admission of a bearer of a key or an access token: reading it, recording its use, counting it. No session. */
const ofAdmission = [
  'reads.GetItem KEY#',
  'reads.BatchGetItem GRANT#',
  'reads.BatchGetItem PERSON#',
  'writes.UpdateItem KEY-USE#',
  'writes.UpdateItem RATE#',
];
const ofAudit = ['writes.PutItem AUDIT#', 'writes.UpdateItem AUDIT#'];

it('the function of the agents has exactly the rights of the operations behind its tools', () => {
  // Several single platforms are all of them.
  const own = calls
    .flatMap(({ rights }) => flat(rights))
    .filter((right) => !/^platformSecrets [a-z]+$/.test(right) || right === 'platformSecrets true');
  expect(calls.some(isChange)).toBe(true);
  const expected = new Set([...own, ...ofAdmission, ...ofAudit]);
  expect(new Set(flat(mcp?.rights))).toEqual(expected);
});

it('it has as much time as the slowest of them', () => {
  const times = calls.flatMap((op) => functionsOf([op]).map(({ timeoutSeconds = 0 }) => timeoutSeconds));
  expect(mcp?.timeoutSeconds).toBe(Math.max(...times));
});

it('no tool can reach keys, members, webhooks, disconnecting or the settings of a workspace', () => {
  const nouns = new Set(calls.map(({ verb = '' }) => verb.split('.')[0]));
  expect([...nouns].sort()).toEqual(['account', 'automation', 'event', 'media', 'post']);
  expect(calls.map(({ verb }) => verb)).not.toContain('account.disconnect');
});
