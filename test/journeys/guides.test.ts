import { describe } from 'vitest';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import {
  describeJourney,
  describeLoops,
  describePrograms,
  describeReceiver,
} from './support/guide-behaviour.ts';
import { node } from './support/guides.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

describePrograms(node, [
  'herald',
  'connect',
  'post',
  'settle',
  'register',
  'receiver',
  'events',
  'receiver-express',
  'receiver-fastify',
  'feed',
]);

describe('a reader of docs/guides/node.md', () => {
  describeJourney(node, () => cloud);
});

describe('the loops of docs/guides/node.md', () => {
  describeLoops(node, {
    create: `import { herald } from './herald.mjs';
      await herald('POST', '/v1/posts', { content: 'x', idempotencyKey: 'key-1' }).then(
        ({ post }) => console.log(post.id),
        ({ status, body }) => console.log(status, body.code),
      );`,
    list: `import { all } from './herald.mjs';
      const names = [];
      for await (const { name } of all('things', { status: 'draft' })) names.push(name);
      console.log(names.join(' '));`,
    act: `import { actOn } from './settle.mjs';
      for (const post of JSON.parse(process.argv[2])) {
        console.log('post ' + post.id);
        await actOn(post);
      }`,
  });
});

describe('the receiver of docs/guides/node.md without a framework', () => {
  describeReceiver(node, 'receiver');
});
