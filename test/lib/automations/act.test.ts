import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { openInstagram, type SimulatedInstagram } from '../../support/instagram.ts';
import { createTestTable } from '../../support/table.ts';
import { openWorld, publicBaseUrl, type World } from './world.ts';

let table: Table;
let instagram: SimulatedInstagram;
let world: World;
beforeAll(async () => {
  [table, instagram] = await Promise.all([createTestTable(), openInstagram()]);
  world = await openWorld(table, instagram);
});
afterAll(() => instagram.close());

let people = 0;
const somebody = () => `person.${++people}`;
const tracked = `${publicBaseUrl}/r/abcdefghijkl`;

describe('a comment that a rule matches', () => {
  it('is answered in public and in private, each once, with tracked links', async () => {
    const rule = await world.rule();
    const name = somebody();
    const comment = await world.comment(rule, name);
    expect(await world.work()).toEqual(['done', 'done']);
    expect(await world.repliesTo(comment)).toMatchObject([{ text: 'Sent you a message!' }]);
    expect(await world.messagesTo(name)).toMatchObject([
      { text: `Here it is: ${tracked}`, commentId: comment.id },
    ]);
    expect(await world.counts(rule.id)).toEqual({ matches: 1, replies: 1, messages: 1, failures: 0 });
    expect(await world.runToEnd(rule)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('gets a public reply only where the person was written to before', async () => {
    const rule = await world.rule();
    const name = somebody();
    const comments = [await world.comment(rule, name), await world.comment(rule, name, 'LINK again')];
    await world.runToEnd(rule);
    for (const comment of comments) expect(await world.repliesTo(comment)).toHaveLength(1);
    expect(await world.messagesTo(name)).toHaveLength(1);
    expect(await world.counts(rule.id)).toEqual({ matches: 2, replies: 2, messages: 1, failures: 0 });
  });

  it('is answered beneath the comment above it, where it is an answer itself', async () => {
    const rule = await world.rule();
    const parent = await world.comment(rule, somebody(), 'hello');
    const name = somebody();
    await world.comment(rule, name, 'link?', { parentId: parent.id });
    await world.runToEnd(rule);
    expect(await world.repliesTo(parent)).toHaveLength(1);
    expect(await world.messagesTo(name)).toHaveLength(1);
  });
});
