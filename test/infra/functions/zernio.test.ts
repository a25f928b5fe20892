import { expect, it } from 'vitest';
import { performed } from '../../../functions/api/zernio.ts';
import { apiFunctions, functionsOf } from '../../../infra/functions/api.ts';
import { documentedOperations } from '../../../lib/operations.ts';
import { calls } from '../../../lib/zernio/calls.ts';
import { zernioOperations } from '../../../lib/zernio/operations.ts';

const zernio = apiFunctions.find(({ name }) => name === 'zernio');
const named = [...new Set(calls.flatMap(({ operations }) => operations.map(({ id }) => id)))].sort();

it('the function performs the operations that its calls name, and no others', () => {
  expect(performed.map(({ op }) => op.id).sort()).toEqual(named);
});

it('it has one dependency for each name', () => {
  const wires = performed.flatMap((each) => Object.entries<unknown>(each.wires));
  const byName = Map.groupBy(wires, ([name]) => name);
  const ambiguous = [...byName].filter(([, same]) => new Set(same.map(([, wire]) => wire)).size > 1);
  expect(ambiguous.map(([name]) => name)).toEqual([]);
});

it('it serves every method below its prefix, and as much time as the slowest operation', () => {
  expect(zernio?.routes).toEqual(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /zernio/v1/{proxy+}`),
  );
  const slowest = performed.flatMap(({ op }) =>
    functionsOf([op]).map(({ timeoutSeconds = 0 }) => timeoutSeconds),
  );
  expect(zernio?.timeoutSeconds).toBe(Math.max(...slowest));
});

it('nothing of it is in the OpenAPI document', () => {
  const own = new Set([...zernioOperations.map(({ id }) => id), ...performed.map(({ op }) => op.id)]);
  const hidden = documentedOperations.filter(({ path }) => path.startsWith('/zernio'));
  expect(hidden).toEqual([]);
  expect(own.size).toBeGreaterThan(0);
});
