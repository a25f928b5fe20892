import { type Edge, startEdge } from './edge.ts';

/** The edges of a local cloud, by the names of their distributions. */
export type Edges = Readonly<Record<string, Edge>>;

/**
 * Starts an edge for each distribution.
 *
 * @param ports the ports by the distributions' names; a distribution without a port gets any free one
 * @throws Error if a port is in use. What has been started is stopped first.
 */
export async function startEdges(
  names: readonly string[],
  ports: Readonly<Record<string, number>>,
  log: (line: string) => void,
): Promise<Edges> {
  const edges: Record<string, Edge> = {};
  try {
    for (const name of names) edges[name] = await startEdge(ports[name] ?? 0, log);
  } catch (error) {
    await stopEdges(edges);
    throw error;
  }
  return edges;
}

export async function stopEdges(edges: Edges): Promise<void> {
  await Promise.all(Object.values(edges).map((edge) => edge.stop()));
}
