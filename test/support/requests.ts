import type { Context } from '../../lib/api-contract/context.ts';

/**
 * The same context with a table that lists the requests made of it by name.
 *
 * @param before is waited for ahead of each request
 */
export function countRequests<C extends Context>(
  context: C,
  before: (name: string) => Promise<void> = async () => {},
): { counted: C; requests: string[] } {
  const requests: string[] = [];
  const client = new Proxy(context.table.client, {
    get: (target, property) => {
      if (property !== 'send') return Reflect.get(target, property, target);
      return async (command: Parameters<typeof target.send>[0]) => {
        requests.push(command.constructor.name);
        await before(command.constructor.name);
        return target.send(command);
      };
    },
  });
  return { counted: { ...context, table: { ...context.table, client } }, requests };
}
