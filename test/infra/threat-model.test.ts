import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdings, otherPowers, type Powers, powersOf } from './support/powers.ts';
import { statementsByFunction } from './support/roles.ts';
import { synthesizeOnce, type Templates } from './support/synthesize.ts';

const page = join(import.meta.dirname, '../../docs/threat-model-functions.md');

let service: Templates;
let powers: ReadonlyMap<string, Powers>;
beforeAll(() => {
  service = synthesizeOnce();
  powers = new Map(
    [...statementsByFunction(service)].map(([name, statements]) => [name, powersOf(statements)]),
  );
});

/** Rights that nearly every function has for each request. The page says so in a sentence. */
const forEachRequest = {
  reads: [holdings['KEY#'].name, holdings['SESSION#'].name, holdings['SESSION-USE#'].name],
  changes: [holdings['RATE#'].name, holdings['KEY-USE#'].name, holdings['SESSION-USE#'].name],
};

const metaCallbacks = ['platforms-withdraw', 'platforms-deletion-status'];

describe('a function that is taken over', () => {
  it('has only powers that the threat model describes', () => {
    const described = Object.keys(otherPowers);
    const others = [...powers.values()].flatMap(({ others }) => others);
    expect(others.filter((other) => !described.includes(withoutDetail(other)))).toEqual([]);
  });

  it('has no power over a workspace if anybody may call it without a key, unless it is part of a login', () => {
    const found = [
      'health',
      'docs',
      'openapi',
      'not-found',
      'redirect',
      'platform-webhook',
      ...metaCallbacks,
    ].map((name) => [name, powers.get(name)] as const);
    expect(Object.fromEntries(found)).toEqual({
      health: { reads: [], changes: [], others: [] },
      docs: { reads: [], changes: [], others: [] },
      openapi: { reads: [], changes: ['request counters'], others: [] },
      'not-found': { reads: [], changes: ['request counters'], others: [] },
      redirect: { reads: ['links'], changes: ['clicks'], others: [] },
      'platform-webhook': {
        reads: [],
        changes: [],
        others: ['read app secrets (instagram)', 'send inbound messages'],
      },
      'platforms-withdraw': {
        reads: [],
        changes: ['withdrawals'],
        others: ['read app secrets (facebook, instagram, threads)'],
      },
      'platforms-deletion-status': { reads: ['withdrawals'], changes: [], others: [] },
    });
  });

  it('opens no secret that it may not also read in sealed form, and only for its own purpose', () => {
    const opening = [...powers].filter(([, { others }]) => others.some((other) => other.startsWith('open ')));
    for (const [name, { reads, others }] of opening) {
      const sealedIn = others.includes('open choices')
        ? 'logins'
        : others.includes('open sessions’ refresh tokens')
          ? 'people'
          : 'workspaces';
      expect({ name, isUseful: reads.includes(sealedIn) }).toEqual({ name, isUseful: true });
      expect(others.filter((other) => other.startsWith('open '))).toHaveLength(1);
    }
  });

  // To update the page: npx vitest run test/infra/threat-model.test.ts --update
  it('can do what the tables of the threat model say, and no more', async () => {
    await expect(withTables(readFileSync(page, 'utf8'))).toMatchFileSnapshot(page);
  });
});

/** The page with new tables between its markers. */
function withTables(text: string): string {
  return [
    ['functions', functionTable()],
    ['partitions', partitionTable()],
    ['powers', powerTable()],
  ].reduce((changed, [name, table]) => {
    const between = new RegExp(`(<!-- generated: ${name} -->\n)[^]*?(<!-- end -->)`);
    expect(changed).toMatch(between);
    return changed.replace(between, (_all, begin, end) => `${begin}${table}\n${end}`);
  }, text);
}

/** Functions with the same powers share a row. Those with the most powers come first. */
function functionTable(): string {
  const rows = Map.groupBy(powers, ([, { reads, changes, others }]) =>
    [
      listed(reads.filter((name) => !forEachRequest.reads.includes(name))),
      listed(changes.filter((name) => !forEachRequest.changes.includes(name))),
      listed(others),
    ].join(' | '),
  );
  const size = (cells: string) => cells.split(',').length;
  return table(
    ['functions', 'reads', 'changes', 'other powers'],
    [...rows]
      .sort(([one], [other]) => size(other) - size(one) || one.localeCompare(other))
      .map(([cells, members]) => [
        members
          .map(([name]) => `\`${name}\``)
          .sort()
          .join(', '),
        cells,
      ]),
  );
}

/** Only what some function may read or change. */
function partitionTable(): string {
  const kinds = new Map(Object.values(holdings).map((holding) => [holding.name, holding]));
  const all = [...powers.values()];
  const reached = [...kinds.values()].filter(({ name }) =>
    all.some(({ reads, changes }) => reads.includes(name) || changes.includes(name)),
  );
  return table(
    ['kind', 'partition keys', 'reading shows', 'whoever changes it'],
    reached.map(({ name, shows, changing }) => {
      const isChanged = all.some(({ changes }) => changes.includes(name));
      const keys = Object.entries(holdings).filter(([, holding]) => holding.name === name);
      return [
        name,
        keys.map(([prefix]) => `\`${prefix}\``).join(', '),
        shows,
        isChanged ? changing : '– (no function may)',
      ];
    }),
  );
}

function powerTable(): string {
  const used = new Set([...powers.values()].flatMap(({ others }) => others.map(withoutDetail)));
  return table(
    ['power', 'an attacker'],
    Object.entries(otherPowers).filter(([name]) => used.has(name)),
  );
}

const withoutDetail = (power: string): string => power.replace(/ \(.*\)$/, '');
const listed = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
