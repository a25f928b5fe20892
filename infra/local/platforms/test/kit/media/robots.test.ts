import { expect, it } from 'vitest';
import { robotsAllow } from '../../../kit/media/robots.ts';

it.each([
  { case: 'an empty file', robots: '', path: '/a', allowed: true },
  { case: 'a page that is not a robots.txt', robots: '<html>no</html>', path: '/a', allowed: true },
  {
    case: 'everything disallowed for all crawlers',
    robots: 'User-agent: *\nDisallow: /',
    path: '/a',
    allowed: false,
  },
  { case: 'nothing disallowed', robots: 'User-agent: *\nDisallow:', path: '/a', allowed: true },
  {
    case: 'a group for another crawler',
    robots: 'User-agent: Googlebot\nDisallow: /',
    path: '/a',
    allowed: true,
  },
  {
    case: 'its own group and one for all crawlers',
    robots: 'User-agent: *\nDisallow: /\nUser-agent: FacebookExternalHit # ours\nDisallow: /b',
    path: '/a',
    allowed: true,
  },
  {
    case: 'a group of several crawlers',
    robots: 'user-agent: x\nuser-agent: facebookexternalhit\ndisallow: /a',
    path: '/a/b',
    allowed: false,
  },
  {
    case: 'a longer pattern that allows',
    robots: 'User-agent: *\nDisallow: /a\nAllow: /a/public',
    path: '/a/public/x.jpg',
    allowed: true,
  },
  {
    case: 'equal patterns, of which one allows',
    robots: 'User-agent: *\nDisallow: /a\nAllow: /a',
    path: '/a',
    allowed: true,
  },
  {
    case: 'a wildcard in the middle',
    robots: 'User-agent: *\nDisallow: /*/private*.jpg',
    path: '/m/private1.jpg?x',
    allowed: false,
  },
  {
    case: 'a pattern for the end of the path',
    robots: 'User-agent: *\nDisallow: /*.jpg$',
    path: '/a.jpg',
    allowed: false,
  },
  {
    case: 'a pattern for the end that matches in the middle',
    robots: 'User-agent: *\nDisallow: /*.jpg$',
    path: '/a.jpg?x',
    allowed: true,
  },
])('$case: $allowed', ({ robots, path, allowed }) => {
  expect(robotsAllow(robots, 'facebookexternalhit', path)).toBe(allowed);
});
