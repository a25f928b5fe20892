import { describe, expect, it } from 'vitest';
import { ownMentionLength, withoutOwnMention } from '../../../../lib/automations/matching/own-mention.ts';

describe('a comment of somebody who answers the account', () => {
  it.each([
    ['@nordlicht.kaffee link', 'link'],
    ['@Nordlicht.Kaffee LINK', 'LINK'],
    ['  @nordlicht.kaffee, link', 'link'],
    ['@nordlicht.kaffee: link', 'link'],
    ['@nordlicht.kaffee @nordlicht.kaffee link', 'link'],
    ['@nordlicht.kaffee', ''],
    ['@nordlicht.kaffee. link', '. link'],
  ])('%j says %j', (comment, said) => {
    expect(withoutOwnMention(comment, 'nordlicht.kaffee')).toBe(said);
  });

  it.each<[comment: string, username: string | null, why: string]>([
    ['@somebody link', 'nordlicht.kaffee', 'another account is mentioned'],
    ['@nordlicht.kaffeehaus link', 'nordlicht.kaffee', 'a longer name'],
    ['link @nordlicht.kaffee', 'nordlicht.kaffee', 'the mention is not first'],
    ['nordlicht.kaffee link', 'nordlicht.kaffee', 'no mention'],
    ['@ link', 'nordlicht.kaffee', 'no name'],
    ['@nordlicht link', null, 'the name of the account is not known'],
  ])('%j says all that it says: %s, %s', (comment, username) => {
    expect(ownMentionLength(comment, username)).toBe(0);
  });
});
