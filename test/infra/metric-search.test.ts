import { describe, expect, it } from 'vitest';
import { search } from './support/metric-search.ts';

const ofFunction = (name: string, functionName: string) => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName },
});
const sweepErrors = ofFunction('Errors', 'herald-dev-workers-sweep8A1B-xyz');
const otherErrors = ofFunction('Errors', 'shop-dev-orders');
const sweepThrottles = ofFunction('Throttles', 'herald-dev-workers-sweep8A1B-xyz');
const accountErrors = { namespace: 'AWS/Lambda', name: 'Errors', dimensions: {} };
const all = [sweepErrors, otherErrors, sweepThrottles, accountErrors];

describe('a search for metrics', () => {
  it.each([
    ['finds all functions by the schema', 'MetricName="Errors"', [sweepErrors, otherErrors]],
    ['finds functions by a word of their names', 'MetricName="Errors" FunctionName=herald', [sweepErrors]],
    [
      'finds functions by all of several words',
      'FunctionName=herald FunctionName=dev',
      [sweepErrors, sweepThrottles],
    ],
    ['finds nothing by a prefix in quotes', 'MetricName="Errors" FunctionName="herald-dev"', []],
    ['finds one function by its whole name', 'FunctionName="shop-dev-orders"', [otherErrors]],
    ['finds nothing by a part of a word', 'FunctionName=heral', []],
  ])('%s', (_what, query, found) => {
    expect(search(`SEARCH('{AWS/Lambda,FunctionName} ${query}', 'Sum', 60)`, all)).toEqual(found);
  });

  it.each([
    ['a prefix without quotes', `SEARCH('{AWS/Lambda,FunctionName} FunctionName=herald-dev', 'Sum', 60)`],
    ['a dimension outside of the schema', `SEARCH('{AWS/Lambda,FunctionName} Stage=dev', 'Sum', 60)`],
    ['an unknown statistic', `SEARCH('{AWS/Lambda,FunctionName} MetricName="Errors"', 'Most', 60)`],
    ['another expression', 'MAX(METRICS())'],
  ])('refuses %s', (_what, expression) => {
    expect(() => search(expression, all)).toThrow();
  });
});
