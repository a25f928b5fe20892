import { callsIn, type Json, type Resource, type Template } from './template.ts';

/** Returns the cycles of resources that wait for each other, which CloudFormation refuses: `<id>: waits for <id>, …`. */
export function problemsOfCycles({ Resources }: Template): string[] {
  const problems: string[] = [];
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    const start = path.indexOf(id);
    if (start >= 0) {
      problems.push(`${id}: waits for itself, by way of ${[...path.slice(start + 1), id].join(', ')}`);
      return;
    }
    for (const next of neededBy(Resources[id])) if (Resources[next]) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of Object.keys(Resources)) visit(id, []);
  return problems;
}

/** Returns the resources, parameters and pseudo parameters that a resource refers to. */
function neededBy(resource: Resource | undefined): Set<string> {
  if (resource === undefined) return new Set();
  const { DependsOn = [], Properties = {}, UpdatePolicy = {} } = resource;
  const referred = [Properties, UpdatePolicy].flatMap((value) =>
    [...callsIn(value)].flatMap(({ name, argument }) => namedIn(name, argument)),
  );
  return new Set([...[DependsOn].flat(), ...referred]);
}

function namedIn(call: string, argument: Json): string[] {
  const [first] = [argument].flat();
  if (call === 'Ref' || call === 'Fn::GetAtt') return [String(first).split('.')[0] ?? ''];
  if (call === 'Fn::Sub') return [...String(first).matchAll(/\$\{([\w:]+)/g)].map(([, name = '']) => name);
  return [];
}
