import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { createSnippet, editSnippet, listSnippets, removeSnippet } from '../../../lib/snippets/manage.ts';
import { appended, variablesOf, withValues } from '../../../lib/snippets/variables.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

const save = (content: string) => createSnippet(fixture.context, { kind: 'text', name: 'Saved', content });

describe('the variables of a saved text', () => {
  it.each<[string, string[]]>([
    ['{{a}} and {{ b-2 }}, {{a}} again', ['a', 'b-2']],
    ['{{}} {{1a}} {{a b}} {a} {{a\n}} {{é}}', []],
    ['{{{a}}}', ['a']],
  ])('of %j are %j', (content, names) => expect(variablesOf(content)).toEqual(names));

  it('get their values as they are', () => {
    expect(withValues('{{a}} {{b}}', new Map([['a', '{{b}} $& $1']]))).toBe('{{b}} $& $1 {{b}}');
  });

  it('are all that changes in a text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        fc.pre(
          variablesOf(before + after).length === 0 && variablesOf(`${before}{{x}}${after}`).length === 1,
        );
        return withValues(`${before}{{x}}${after}`, new Map([['x', '']])) === before + after;
      }),
    );
  });

  it('stand between empty lines', () => {
    expect(appended('', ['a', 'b'])).toBe('a\n\nb');
    expect(appended('Hi', ['a'])).toBe('Hi\n\na');
  });
});

describe('a post with saved texts', () => {
  it('stores them at the end of its text, with the values of their variables', async () => {
    const { id } = await save('At {{place}}, {{date}}, {{account}}.');
    const tags = await save('#a #b');
    const { post } = await fixture.create({
      content: '{{place}} stays',
      scheduledFor: '2026-03-01T23:30:00Z',
      timezone: 'Europe/Berlin',
      snippets: [{ id, variables: { place: 'the harbour' } }, { id: tags.id }],
    });
    const { username } = fixture.instagram;
    expect(post.content).toBe(`{{place}} stays\n\nAt the harbour, 2026-03-02, ${username}.\n\n#a #b`);
  });

  it('keeps its text when the saved text changes or goes', async () => {
    const { id } = await save('Before');
    const { post } = await fixture.create({ snippets: [{ id }] });
    await editSnippet(fixture.context, id, { content: 'After' });
    await editPost(fixture.context, post.id, EditPostBody.parse({ timezone: 'Europe/Berlin' }));
    expect((await fixture.create({ snippets: [{ id }] })).post.content).toBe('Hello\n\nAfter');
    await removeSnippet(fixture.context, id);
    expect(post.content).toBe('Hello\n\nBefore');
  });

  it('keeps both of two changes at the same time that are about different fields', async () => {
    const { id } = await save('Before');
    await Promise.all([
      editSnippet(fixture.context, id, { content: 'After' }),
      editSnippet(fixture.context, id, { name: 'Renamed' }),
    ]);
    const { snippets } = await listSnippets(fixture.context, { limit: 100 });
    expect(snippets.find((each) => each.id === id)).toMatchObject({ content: 'After', name: 'Renamed' });
  });

  it('is replayed even if the saved text has gone', async () => {
    const { id } = await save('x');
    const key = { idempotencyKey: 'snippets', rawBody: '1' };
    const { post } = await fixture.create({ snippets: [{ id }] }, key);
    await removeSnippet(fixture.context, id);
    expect((await fixture.create({ snippets: [{ id }] }, key)).post.id).toBe(post.id);
  });

  it('is refused with the name of every wrong field', async () => {
    const { id } = await save('{{a}} {{account}} {{constructor}}');
    const other = await save('x');
    const two = [{ accountId: fixture.instagram.id }, { accountId: fixture.second.id }];
    const snippets = [{ id, variables: { a: '1', b: '2' } }, { id: newId(startMs) }, { id: other.id }];
    const expected = [
      'snippets[0].variables.account: is required: the post does not have exactly one destination with a name',
      'snippets[0].variables.constructor: is required: the saved text has this variable',
      'snippets[0].variables.b: is not a variable of the saved text',
      'snippets[1].id: no such saved text',
    ];
    expect(await refusalsOf(fixture.create({ platforms: two, snippets }))).toEqual(expected);
    const body = fixture.body({ platforms: two, snippets });
    expect(await refusalsOf(validatePost(fixture.context, body))).toEqual(expected);
  });

  it('needs a date if its slot is not known yet', async () => {
    const { id } = await save('{{date}}');
    const auto = { scheduledFor: 'auto' };
    expect(await refusalsOf(fixture.create({ ...auto, snippets: [{ id }] }))).toEqual([
      'snippets[0].variables.date: is required: the slot of the post is not known yet',
    ]);
    const { post } = await fixture.create({ ...auto, snippets: [{ id, variables: { date: 'today' } }] });
    expect(post.content).toBe('Hello\n\ntoday');
  });

  it('is too long if its text is with them', async () => {
    const { id } = await save('x'.repeat(10_000));
    const snippets = Array.from({ length: 10 }, () => ({ id }));
    expect(await refusalsOf(fixture.create({ snippets, isDraft: true }))).toEqual([
      'content: has 100025 characters with its saved texts; at most 100000 are allowed',
    ]);
  });

  it('is checked with them', async () => {
    const { id } = await save('x'.repeat(2_300));
    const { problems } = await validatePost(fixture.context, fixture.body({ snippets: [{ id }] }));
    expect(problems).toMatchObject([{ code: 'content_too_long' }]);
  });

  it('gets them in an edit only with its text', async () => {
    const { id } = await save('{{a}}');
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const snippets = [{ id, variables: { a: 'more' } }];
    const edit = (patch: object) => editPost(fixture.context, post.id, EditPostBody.parse(patch));
    expect(await refusalsOf(edit({ snippets }))).toEqual([
      'content: is required with snippets, which are added to it',
    ]);
    expect((await edit({ content: 'Hi', snippets })).post.content).toBe('Hi\n\nmore');
  });

  it('cannot have those of another workspace', async () => {
    const { id } = await save('secret');
    const stranger = await openFixture(table);
    expect(await refusalsOf(stranger.create({ snippets: [{ id }] }))).toEqual([
      'snippets[0].id: no such saved text',
    ]);
  });
});

describe('the saved texts of a workspace', () => {
  it('are at most 500, also if two are saved at once', async () => {
    const { context } = await openFixture(table);
    const one = (name: string) => createSnippet(context, { kind: 'hashtags', name, content: '#a' });
    for (let made = 0; made < 499; made += 1) await one(`${made}`);
    const last = await Promise.allSettled([one('a'), one('b')]);
    expect(last.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(one('c')).rejects.toMatchObject({ code: 'too_many_snippets' });
    const { snippets, nextCursor } = await listSnippets(context, { limit: 500 });
    expect(snippets).toHaveLength(500);
    expect(await listSnippets(context, { limit: 1, cursor: nextCursor ?? '' })).toEqual({
      snippets: [],
      nextCursor: null,
    });
    await removeSnippet(context, snippets[0]?.id ?? '');
    await expect(removeSnippet(context, snippets[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    await one('d');
    await expect(one('e')).rejects.toMatchObject({ code: 'too_many_snippets' });
  });
});
