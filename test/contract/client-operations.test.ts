import { describe, expect, it } from 'vitest';
import built from '../../functions/api/openapi.built.ts';
import { documentedOperations } from '../../lib/operations.ts';
import { type Document, operationsOf } from './clients/client-operations.ts';

describe('the operations of the client package', () => {
  const operations = operationsOf(built as unknown as Document);
  const idsOf = (chosen: readonly { readonly id: string }[]) => chosen.map(({ id }) => id).sort();
  const operation = (id: string) => operations.find((each) => each.id === id);

  it('are all of the document but for the short links, which answer with redirects', () => {
    const left = documentedOperations.filter(({ path }) => !path.startsWith('/r/'));
    expect(idsOf(operations)).toEqual(idsOf(left));
    expect(operations.length).toBeGreaterThan(60);
  });

  it('have method, path and the place of the input', () => {
    expect(operation('updatePost')).toMatchObject({
      operation: { method: 'PATCH', path: '/v1/posts/{id}', input: 'body' },
      ids: ['id'],
      isInputNeeded: true,
      hasDryRun: true,
    });
    expect(operation('retryPost')).toMatchObject({ operation: { input: 'body' }, isInputNeeded: false });
    expect(operation('findMentions')).toMatchObject({ operation: { input: 'query' } });
    expect(operation('getPost')?.operation).toEqual({ method: 'GET', path: '/v1/posts/{id}' });
    expect(operation('resolveTarget')?.ids).toEqual(['id', 'accountId']);
  });

  it('take an idempotency key where the declaration has the header', () => {
    const withKey = operations.filter((each) => each.operation.hasKey);
    expect(idsOf(withKey)).toEqual(
      idsOf(
        documentedOperations.filter(({ headers }) =>
          JSON.stringify(headers?.shape ?? {}).includes('Idempotency-Key'),
        ),
      ),
    );
    expect(idsOf(withKey)).toContain('createPost');
  });

  it('are lists where the answer has a cursor that the query takes', () => {
    const lists = operations.filter((each) => each.operation.list);
    const isRead = ({ operation: { method, list } }: (typeof operations)[number]) => method === 'GET' && list;
    expect(lists.every(isRead)).toBe(true);
    expect(operation('listPosts')?.operation.list).toEqual({ items: 'posts', cursor: 'cursor' });
    expect(operation('listAuditEntries')?.operation.list).toEqual({ items: 'entries', cursor: 'cursor' });
    expect(operation('listEvents')?.operation.list).toEqual({
      items: 'events',
      cursor: 'after',
      more: 'hasMore',
    });
    const withCursor = documentedOperations.filter(({ method, query }) => {
      const { shape = {} } = (query ?? {}) as { readonly shape?: object };
      return method === 'GET' && ('cursor' in shape || 'after' in shape);
    });
    expect(idsOf(lists)).toEqual(idsOf(withCursor));
  });
});
