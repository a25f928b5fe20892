import { expect, it } from 'vitest';
import { readPostReference } from '../../../../lib/platforms/linkedin/post-reference.ts';

const id = '7045020441609936898';
const site = 'https://www.linkedin.com';

it.each([
  [`urn:li:share:${id}`, `urn:li:share:${id}`],
  [` urn:li:ugcPost:${id}\n`, `urn:li:ugcPost:${id}`],
  [`urn:li:groupPost:42-${id}`, `urn:li:groupPost:42-${id}`],
  [`${site}/feed/update/urn:li:share:${id}/`, `urn:li:share:${id}`],
  [`${site}/feed/update/urn%3Ali%3AugcPost%3A${id}?utm_source=share`, `urn:li:ugcPost:${id}`],
  [`${site}/embed/feed/update/urn:li:share:${id}?collapsed=1`, `urn:li:share:${id}`],
  [`${site}/posts/harbour-coffee_six-in-the-morning-share-${id}-Xx1y`, `urn:li:share:${id}`],
  [`https://de.linkedin.com/posts/harbour_six-ugcPost-${id}-a_-b/`, `urn:li:ugcPost:${id}`],
])('reads the post of %j', (given, urn) => {
  expect(readPostReference(given)).toEqual({ urn });
});

it.each([
  `urn:li:activity:${id}`,
  `${site}/feed/update/urn:li:activity:${id}/`,
  `${site}/posts/harbour-coffee_six-activity-${id}-Xx1y`,
])('says where to find the post of the activity %j', (given) => {
  expect(readPostReference(given).problem).toContain('Embed this post');
});

it.each([
  '',
  'hello',
  `urn:li:image:${id}`,
  `see urn:li:share:${id}`,
  `https://linkedin.example/feed/update/urn:li:share:${id}/`,
  `https://notlinkedin.com/feed/update/urn:li:share:${id}/`,
  `${site}/in/someone/`,
  `${site}/pulse/six-in-the-morning`,
  `${site}/feed/update/%E0%A4%A/`,
])('refuses %j', (given) => {
  expect(readPostReference(given).problem).toContain('must be the URN of a LinkedIn post');
});
