import { describe, expect, it } from 'vitest';
import { likelyName, nearestName } from '../../../lib/kernel/nearest-name.ts';

const known = ['privacy', 'privacyStatus', 'tags', 'madeForKids', 'link'];

describe('the nearest name', () => {
  it.each([
    ['privacy_status', 'privacyStatus'],
    ['PRIVACYSTATUS', 'privacyStatus'],
    ['made-for-kids', 'madeForKids'],
    ['privcay', 'privacy'],
    ['privacys', 'privacy'],
    ['madeForKid', 'madeForKids'],
    ['tag', 'tags'],
    ['lnik', 'link'],
  ])('of %s is %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  it.each(['', 't', 'lk', 'poll', 'playlistId', 'status'])('of %s is none', (name) => {
    expect(nearestName(name, known)).toBeUndefined();
  });

  it('prefers the same letters, then fewer edits', () => {
    expect(nearestName('first_comment', ['firstComments', 'firstComment'])).toBe('firstComment');
    expect(nearestName('privacyy', ['privates', 'privacy'])).toBe('privacy');
  });
});

describe('the likely name', () => {
  const fields = ['from', 'to', 'scheduledFor', 'isDraft', 'publishNow', 'mediaItems', 'accountId', 'status'];

  it.each([
    ['fromDate', 'from'],
    ['to_date', 'to'],
    ['scheduledAt', 'scheduledFor'],
    ['schedule-time', 'scheduledFor'],
    ['draft', 'isDraft'],
    ['publish', 'publishNow'],
    ['mediaUrls', 'mediaItems'],
    ['accountid', 'accountId'],
    ['stauts', 'status'],
  ])('of %s is %s', (name, likely) => {
    expect(likelyName(name, fields)).toBe(likely);
  });

  it.each(['', '_', 'is', 'id', 'postId', 'item', 'when', 'then'])('of %s is none', (name) => {
    expect(likelyName(name, fields)).toBeUndefined();
  });

  it('has the most words in common', () => {
    expect(likelyName('firstCommentText', ['firstImage', 'firstComment', 'first'])).toBe('firstComment');
  });
});
