import { describe } from 'vitest';
import {
  describeJourney,
  describeLoops,
  describePrograms,
  describeReceiver,
} from '../../journeys/support/guide-behaviour.ts';
import { node, python } from '../../journeys/support/guides.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

// Unlike the daily run, this fails if Python is missing.
describePrograms(python, ['herald', 'connect', 'post', 'settle', 'register', 'receiver', 'events', 'feed']);

describe('a reader of docs/guides/python.md', () => {
  describeJourney(python, () => cloud);
});

describe('the loops of docs/guides/python.md', () => {
  describeLoops(python, {
    create: `from herald import herald, HeraldError
try:
    print(herald("POST", "/v1/posts", {"content": "x", "idempotencyKey": "key-1"})["post"]["id"])
except HeraldError as error:
    print(error.status, error.body["code"])`,
    list: `from herald import all_of
print(*(thing["name"] for thing in all_of("things", status="draft")))`,
    act: `import json, sys
from settle import act_on
for post in json.loads(sys.argv[1]):
    print("post", post["id"])
    act_on(post)`,
  });
});

describe('the receiver of docs/guides/python.md', () => {
  describeReceiver(python, 'receiver');
});

describe.each(['express', 'fastify'])('the receiver of docs/guides/node.md in %s', (framework) => {
  describeReceiver(node, `receiver-${framework}`);
});
