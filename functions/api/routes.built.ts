import { deployedOperations } from '../../lib/operations.ts';

/** The methods of each path, such as `/v1/posts/{id}`. The bundle contains them ready-made, without the operations. */
const methodsOfPath: Record<string, string[]> = {};
for (const { method, path } of deployedOperations) {
  methodsOfPath[path] = [...(methodsOfPath[path] ?? []), method];
}

export default methodsOfPath;
