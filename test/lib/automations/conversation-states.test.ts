import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ConversationEvent,
  conversationEvents,
  requireConversationMove,
} from '../../../lib/automations/conversation-states.ts';
import { failureCodes } from '../../../lib/automations/failure-codes.ts';
import { ActionState, ConversationStage } from '../../../lib/automations/schemas.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';

const moves = Object.entries(conversationEvents).flatMap(([event, { moves }]) =>
  moves.flatMap(([from, ...to]) => to.map((next) => ({ event, from: String(from), next: String(next) }))),
);
const reached = new Set(['waiting opening', ...moves.map(({ next }) => next)]);
const eventsFrom = (place: string) =>
  [...new Set(moves.filter(({ from }) => from === place).map(({ event }) => event))].sort();

describe('the table of conversations', () => {
  it('leads from the beginning to every place that it names, except the one that only earlier releases made', () => {
    const unreached = moves.map(({ from }) => from).filter((from) => !reached.has(from));
    expect([...new Set(unreached)]).toEqual(['failed closed']);
  });

  it('has no place from which nothing leads on, except after the message and where it may have arrived', () => {
    expect([...reached].filter((place) => eventsFrom(place).length === 0).sort()).toEqual([
      'unknown closed',
      'unknown granting',
    ]);
    expect(eventsFrom('done closed')).toEqual(['disproved']);
  });

  it.each(ConversationStage.options)(
    'lets another comment or a tap reopen a failure in the stage %s',
    (stage) => {
      expect(eventsFrom(`failed ${stage}`)).toEqual(expect.arrayContaining(['comment', 'tap']));
    },
  );

  it('lets only a tap, never a comment, move on what has an unknown outcome', () => {
    const events = moves.filter(({ from }) => from.startsWith('unknown')).map(({ event }) => event);
    expect(new Set(events)).toEqual(new Set<ConversationEvent>(['tap']));
  });

  it('lets no comment move a conversation that has not failed', () => {
    const places = moves.filter(({ event }) => event === 'comment').map(({ from }) => from);
    for (const place of places) expect(place).toMatch(/^failed /);
  });

  it('sends nothing without an intent before it', () => {
    for (const { from, next } of moves.filter(({ event }) => event === 'sent')) {
      expect(from).toMatch(/^intended /);
      expect(next).not.toMatch(/^intended /);
    }
  });

  it('is what a write of a conversation is checked against', () => {
    const places = ActionState.options.flatMap((state) =>
      ConversationStage.options.map((stage) => ({ state, stage })),
    );
    const allowed: string[] = [];
    for (const from of places)
      for (const to of places) {
        try {
          requireConversationMove(from, to);
          if (from !== to) allowed.push(`${from.state} ${from.stage} > ${to.state} ${to.stage}`);
        } catch (error) {
          expect(error).toBeInstanceOf(ForbiddenMoveError);
        }
      }
    const told = moves.map(({ from, next }) => `${from} > ${next}`);
    expect(allowed.sort()).toEqual([...new Set(told)].sort());
  });
});

describe('docs/automations.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/automations.md'), 'utf8');

  it.each(Object.entries(failureCodes))('says of %s who can act', (code, { whoCanAct, isWaitedFor }) => {
    const waits = isWaitedFor ? 'yes' : 'no';
    expect(text).toMatch(new RegExp(`^\\| \`${code}\` \\| ${whoCanAct} \\| ${waits} \\|`, 'm'));
  });
});
