import { describe, expect, it } from 'vitest';
import built from '../../../../functions/api/openapi.built.ts';
import { operationExamples } from '../../../../lib/api-contract/openapi/examples/all.ts';
import { documentedOperations } from '../../../../lib/operations.ts';
import { closed, type Json, validators } from '../../../support/document-schemas.ts';

interface Content {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface WithContent {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Described {
  readonly operationId: string;
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent>>;
}
type Methods = Readonly<Record<string, Described>>;

const document = built as unknown as {
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
};

/** The place of a JSON body in the document, and its examples there. */
interface Body {
  readonly name: string;
  readonly place: readonly string[];
  readonly examples: readonly unknown[];
}

function bodiesAt(name: string, place: readonly string[], given?: WithContent): Body[] {
  const refersTo = given?.$ref?.slice(2).split('/');
  const at = refersTo ?? place;
  const { content = {} } = refersTo ? (find(document, refersTo) as WithContent) : (given ?? {});
  const body = content['application/json'];
  if (!body) return [];
  const { example, examples = {} } = body;
  const values = Object.values(examples).map(({ value }) => value);
  return [
    {
      name,
      place: [...at, 'content', 'application/json', 'schema'],
      examples: example === undefined ? values : [example, ...values],
    },
  ];
}

const find = (node: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((inside, step) => (inside as Json | undefined)?.[step], node);

const all = (['paths', 'webhooks'] as const).flatMap((section) =>
  Object.entries(document[section]).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => {
      const at = [section, path, method];
      return [
        ...bodiesAt(`the request of ${operationId}`, [...at, 'requestBody'], requestBody),
        ...Object.entries(responses).flatMap(([status, response]) =>
          bodiesAt(`the response ${status} of ${operationId}`, [...at, 'responses', status], response),
        ),
      ];
    }),
  ),
);

/** Shared responses count once. */
const bodies = [...new Map(all.map((body) => [body.place.join(' '), body])).values()];

describe('in the document', () => {
  const problemsOf = validators(closed(document) as Json);

  it('each JSON body has an example', () => {
    expect(bodies.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(100);
  });

  it.each(bodies)('the examples of $name match its schema and contain only described fields', (body) => {
    for (const example of body.examples) expect(problemsOf(body.place, example)).toEqual([]);
  });
});

describe('the schemas that parse requests and shape replies', () => {
  const withExamples = documentedOperations.map((op) => [op, operationExamples[op.id]] as const);

  it.each(withExamples.filter(([{ body }, examples]) => body && examples))(
    'accept the examples of requests: $id',
    ({ body }, examples) => {
      for (const example of [examples?.request, ...Object.values(examples?.otherRequests ?? {})]) {
        expect(body?.safeParse(example)).toMatchObject({ success: true });
      }
    },
  );

  it.each(withExamples.filter(([, examples]) => examples))(
    'leave the examples of replies as they are: $id',
    ({ replies }, examples) => {
      for (const [status, { body }] of Object.entries(replies)) {
        const { [Number(status)]: others = {} } = examples?.otherResponses ?? {};
        for (const example of [examples?.responses[Number(status)], ...Object.values(others)])
          if (body) expect(body.parse(example)).toEqual(example);
      }
    },
  );
});

it('the examples are of operations and statuses that the document has', () => {
  for (const [id, { request, responses }] of Object.entries(operationExamples)) {
    const op = documentedOperations.find((operation) => operation.id === id);
    expect(op, id).toBeDefined();
    expect(request !== undefined, `a request of ${id}`).toBe(op?.body !== undefined);
    const statuses = [...Object.keys(op?.replies ?? {}), ...Object.keys(op?.refusals ?? {})];
    expect(statuses, id).toEqual(expect.arrayContaining(Object.keys(responses)));
  }
});

it('every other response answers another request', () => {
  for (const [id, { otherRequests, otherResponses = {} }] of Object.entries(operationExamples)) {
    const titles = Object.values(otherResponses).flatMap((responses) => Object.keys(responses));
    expect(Object.keys(otherRequests ?? {}), id).toEqual(expect.arrayContaining(titles));
  }
});
