import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import built from '../../../functions/api/openapi.built.ts';
import { type DescribedOperation, type Document, operationsOf } from './client-operations.ts';

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'lib/client');

/**
 * Builds the package in a folder: `package.json`, `README.md`, `LICENSE` and `dist`.
 *
 * @throws Error with what the compiler says
 */
export async function buildClient(folder: string): Promise<void> {
  const document = built as unknown as Document;
  const operations = operationsOf(document);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'source'), { recursive: true });
  const write = (file: string, content: string) => writeFileSync(join(folder, file), content);

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, ...manifest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  write('package.json', `${JSON.stringify({ name, version, ...manifest }, undefined, 2)}\n`);

  for (const file of globSync('*.ts', { cwd: source }))
    write(`source/${file}`, forPublication(readFileSync(join(source, file), 'utf8')));
  write(
    'source/schema.ts',
    astToString(await openapiTS(JSON.stringify(reduced(document)), { silent: true })),
  );
  write('source/types.ts', typesText(document));
  write('source/operations.ts', forPublication(operationsText(operations)));
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['source'] }));
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--project', folder]).catch((error) => {
    throw new Error(`the client does not compile:\n${error.stdout}`);
  });
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

const compilerOptions = {
  rootDir: 'source',
  outDir: 'dist',
  declaration: true,
  target: 'es2022',
  // Browsers, Deno, Bun and workers have these too: the code uses nothing of Node.js.
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
};

const forPublication = (text: string): string => text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");

/**
 * Leaves out what no type is made of: examples, headers, errors, and the requests that Herald sends. Events of the feed get the types
 * of webhooks, because they are the same; the document leaves their `data` open.
 */
function reduced({ paths, components }: Document): object {
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => {
        const succeeding = Object.entries(responses).filter(([status]) => status.startsWith('2'));
        return [
          method,
          {
            operationId,
            parameters: parameters?.filter((each) => each.in !== 'header'),
            requestBody,
            responses: Object.fromEntries(succeeding.map(([status, { content }]) => [status, { content }])),
          },
        ];
      }),
    ),
  ]);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Herald', version: '1' },
    paths: Object.fromEntries(operations),
    components: {
      schemas: {
        ...components.schemas,
        FeedEvent: {
          allOf: [
            { $ref: '#/components/schemas/WebhookEvent' },
            { type: 'object', required: ['sequence'], properties: { sequence: { type: 'integer' } } },
          ],
        },
      },
    },
  };
  // Each event has its own `type` without a discriminator, of which the generator would make further types.
  const isLeftOut = (name: string) => /^(examples?|discriminator)$/.test(name);
  return JSON.parse(JSON.stringify(document, (name, value) => (isLeftOut(name) ? undefined : value)));
}

/** Names the schemas, so that users can import them. */
function typesText({ components }: Document): string {
  const names = Object.keys(components.schemas);
  const lines = names.map((name) => `export type ${name} = components['schemas']['${name}'];`);
  return `import type { components } from './schema.js';\n\n${lines.join('\n')}\n`;
}

function operationsText(operations: readonly DescribedOperation[]): string {
  const table = Object.fromEntries(operations.map(({ id, operation }) => [id, operation]));
  return `import type { Operation, RequestOptions } from './client.ts';
import type { operations as Types } from './schema.ts';
import type { DryRun } from './types.ts';

type Id = keyof Types;
type Parameters<Of extends Id, Place extends 'path' | 'query'> = NonNullable<Types[Of]['parameters'][Place]>;
type Json<Type> = Type extends { content: { 'application/json': infer Content } } ? Content : never;
type Body<Of extends Id> = Json<NonNullable<Types[Of]['requestBody']>>;
type Answers<Of extends Id> = Types[Of]['responses'];
type Answer<Of extends Id> = Json<Answers<Of>[keyof Answers<Of>]>;

/** A request that is only tried: nothing is stored. */
type Tried<Request> = Request & { dryRun: true };
type Real<Request> = Request & { dryRun?: false };

/** Reads a list: one page, page by page, or item by item. */
export interface List<Args extends readonly unknown[], Page, Item> {
  /** Reads one page. */
  (...args: Args): Promise<Page>;
  /** Reads page by page until none is left. A page may be empty although more follow. */
  pages(...args: Args): AsyncGenerator<Page, void, undefined>;
  /** Reads item by item until none is left. */
  all(...args: Args): AsyncGenerator<Item, void, undefined>;
}

/** A method for each operation of the API. */
export interface Operations {
${operations.map(methodText).join('\n')}
}

export const operations: Readonly<Record<keyof Operations, Operation>> = ${JSON.stringify(table, undefined, 2)};
`;
}

function methodText({
  id,
  comment,
  operation,
  ids,
  isInputNeeded,
  hasDryRun,
  hasFormats,
}: DescribedOperation): string {
  const { input, list } = operation;
  const doc = `  /**\n${comment
    .replaceAll('*/', '*\\/')
    .split('\n')
    .map((line) => `   * ${line}`.trimEnd())
    .join('\n')}\n   */`;
  const argsWith = (inputType: string) =>
    [
      ...ids.map((name) => `${name}: Parameters<'${id}', 'path'>['${name}']`),
      ...(input ? [`${input}${isInputNeeded ? '' : '?'}: ${inputType}`] : []),
      'options?: RequestOptions',
    ].join(', ');
  const query = `Parameters<'${id}', 'query'>`;
  const body = `Body<'${id}'>`;
  const args = argsWith(input === 'body' ? body : hasFormats ? `Omit<${query}, 'format'>` : query);
  if (list) {
    const item = `Answer<'${id}'>['${list.items}'][number]`;
    return `${doc}\n  readonly ${id}: List<[${args}], Answer<'${id}'>, ${item}>;`;
  }
  if (!hasDryRun) return `${doc}\n  ${id}(${args}): Promise<Answer<'${id}'>>;`;
  const overload = (inputs: string, answer: string) => `${doc}\n  ${id}(${inputs}): Promise<${answer}>;`;
  // The compiler reports a wrong request by the last one.
  return [
    overload(argsWith(`Tried<${body}>`).replace('body?:', 'body:'), 'DryRun'),
    overload(argsWith(`Real<${body}>`), `Exclude<Answer<'${id}'>, DryRun>`),
    overload(args, `Answer<'${id}'>`),
  ].join('\n');
}

/** The command `npm run client`. */
if (import.meta.main) {
  const folder = join(root, '.build/client');
  await buildClient(folder);
  console.log(`The package is in ${folder}: npm pack makes its archive, and npm publish publishes it.`);
}
