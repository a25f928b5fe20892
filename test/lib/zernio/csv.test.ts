import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, readTable } from '../../../lib/zernio/csv.ts';

const context = {
  accounts: [
    { id: 'a', platform: 'threads' },
    { id: 'b', platform: 'instagram' },
    { id: 'c', platform: 'linkedin' },
    { id: 'd', platform: 'linkedin' },
  ] as const,
  profiles: ['w', 'Bakery'],
  workspaceId: 'w',
};

const read = (table: string) => readTable(Buffer.from(table)).rows.map((row) => bodyOf(row, context));

describe('a row', () => {
  it('becomes a post', () => {
    const table = [
      'post_content,platforms,profiles,schedule_time,tz,media_urls,custom_content_threads,schedule_time_instagram',
      '"Hello, world","threads,instagram",Bakery,2026-09-01 10:00,America/New_York,https://a.example/1.jpg;https://a.example/2.jpg,Short,2026-09-02 10:00',
    ].join('\n');
    expect(read(table)).toEqual([
      {
        body: {
          content: 'Hello, world',
          platforms: [
            { platform: 'threads', accountId: 'a', customContent: 'Short' },
            { platform: 'instagram', accountId: 'b', scheduledFor: '2026-09-02T10:00' },
          ],
          mediaItems: [{ url: 'https://a.example/1.jpg' }, { url: 'https://a.example/2.jpg' }],
          scheduledFor: '2026-09-01T10:00',
          timezone: 'America/New_York',
        },
      },
    ]);
  });

  it.each([
    ['is_draft', { isDraft: true }],
    ['publish_now', { publishNow: true }],
    ['use_queue', { queuedFromProfile: 'w' }],
  ])('with %s needs no time', (column, expected) => {
    expect(read(`content,platforms,${column}\nx,threads,true`)).toEqual([
      { body: { content: 'x', platforms: [{ platform: 'threads', accountId: 'a' }], ...expected } },
    ]);
  });

  it.each([
    [
      'content,platforms\nx,threads',
      'schedule_time: is required, or one of publish_now, use_queue and is_draft',
    ],
    ['content,platforms,is_draft\nx,twitter,true', 'platforms: no account of twitter is connected'],
    ['content,platforms,is_draft\nx,,true', 'platforms: is required'],
    [
      'content,platforms,is_draft,profiles\nx,threads,true,Other',
      'profiles: Other not found; the workspace is the one profile',
    ],
    [
      'content,platforms,is_draft\nx,linkedin,true',
      'platforms: several accounts of linkedin are connected, so the row does not say which one is meant',
    ],
  ])('%j is wrong', (table, error) => {
    expect(read(table)).toEqual([{ errors: [error] }]);
  });

  it('prefers the column to its alias, unless that is blank', () => {
    const { rows } = readTable(Buffer.from('content,post_content,platforms\nalias,own,x\nalias,,x'));
    expect(rows.map((row) => row.get('post_content'))).toEqual(['own', 'alias']);
  });
});

describe('a table', () => {
  it('names the columns that are not read', () => {
    expect(readTable(Buffer.from('content,colour\nx,red')).unknown).toEqual(['colour']);
  });

  it.each(['', 'content', `content\n${'x\n'.repeat(101)}`, `${'a,'.repeat(100)}\nx`, '"open'])(
    'is refused: %#',
    (table) => {
      expect(() => readTable(Buffer.from(table))).toThrow(/^file: /);
    },
  );

  it('is read or refused in words, whatever it contains', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const row of readTable(bytes).rows) bodyOf(row, context);
        } catch (error) {
          expect(String(error)).toContain('file: ');
        }
      }),
    );
  });
});
