import { expect, it } from 'vitest';
import { robotsAllow } from '../../../../../../infra/local/platforms/kit/media/robots.ts';

it.each([
  { case: 'nothing at all', robots: '', path: '/a', allowed: true },
  { case: 'a page that is no robots.txt', robots: '<html>no</html>', path: '/a', allowed: true },
  { case: 'all forbidden to all', robots: 'User-agent: *\nDisallow: /', path: '/a', allowed: false },
  { case: 'nothing forbidden', robots: 'User-agent: *\nDisallow:', path: '/a', allowed: true },
  { case: 'another crawler', robots: 'User-agent: Googlebot\nDisallow: /', path: '/a', allowed: true },
  {
    case: 'its own group before that of all',
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
    case: 'the longer pattern',
    robots: 'User-agent: *\nDisallow: /a\nAllow: /a/public',
    path: '/a/public/x.jpg',
    allowed: true,
  },
  {
    case: 'of equals the one that allows',
    robots: 'User-agent: *\nDisallow: /a\nAllow: /a',
    path: '/a',
    allowed: true,
  },
  {
    case: 'any text in between',
    robots: 'User-agent: *\nDisallow: /*/private*.jpg',
    path: '/m/private1.jpg?x',
    allowed: false,
  },
  { case: 'the end of the path', robots: 'User-agent: *\nDisallow: /*.jpg$', path: '/a.jpg', allowed: false },
  {
    case: 'not the end of the path',
    robots: 'User-agent: *\nDisallow: /*.jpg$',
    path: '/a.jpg?x',
    allowed: true,
  },
])('$case: $allowed', ({ robots, path, allowed }) => {
  expect(robotsAllow(robots, 'facebookexternalhit', path)).toBe(allowed);
});
