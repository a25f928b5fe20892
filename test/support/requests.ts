import type { Context } from '../../lib/api-contract/context.ts';

/**
 * Returns the same context with a table that records the name of each request's command.
 *
 * @param before runs before each request, which waits for it
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
