import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runQuery } from '../support/logs-insights.ts';
import { synthesizeOnce, type Templates } from './support/synthesize.ts';

interface StoredQuery {
  readonly Name: string;
  readonly LogGroupNames: readonly unknown[];
  readonly QueryString: string;
}

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const sections = new Map(
  runbook.split(/^## /m).map((section): [string, string] => [section.split('\n')[0] ?? '', section]),
);

let service: Templates;
let queries: StoredQuery[];
beforeAll(() => {
  service = synthesizeOnce();
  queries = service.ofType('AWS::Logs::QueryDefinition').map(({ Properties }) => Properties as StoredQuery);
});

/** The name as the runbook writes it: without the folder, and one name for the API's groups. */
const nameOf = ({ Name }: StoredQuery) => (Name.split('/').at(-1) ?? '').replace(/ \(.+\)$/, '');

describe('the saved queries', () => {
  it('are in the language of Logs Insights, as far as the tests know it', () => {
    expect(queries.length).toBeGreaterThan(15);
    for (const { QueryString } of queries) expect(runQuery(QueryString, [])).toEqual([]);
  });

  it('have different names, in a folder for each stack', () => {
    const names = queries.map(({ Name }) => Name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\w-]+\/[\w ()-]+$/);
  });

  it('read the logs of one to fifty functions', () => {
    for (const { LogGroupNames } of queries) {
      expect(LogGroupNames.length).toBeGreaterThan(0);
      expect(LogGroupNames.length).toBeLessThanOrEqual(50);
    }
  });

  it('are all named by the runbook', () => {
    const unnamed = [...new Set(queries.map(nameOf))].filter((name) => !runbook.includes(`*${name}*`));
    expect(unnamed).toEqual([]);
  });

  it('include one that the section of each alarm names', () => {
    const names = new Set(queries.map(nameOf));
    const headings = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
      .flatMap(service.ofType)
      .map(({ Properties }) => String(Properties.AlarmDescription).split(': ')[0] ?? '');
    const without = [...new Set(headings)].filter((heading) => {
      const named = [...(sections.get(heading) ?? '').matchAll(/\*([^*\n]+)\*/g)].map(
        ([, name]) => name ?? '',
      );
      return !named.some((name) => names.has(name));
    });
    expect(without).toEqual([]);
  });
});
