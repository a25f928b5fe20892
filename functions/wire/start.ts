/**
 * Reads an environment variable of the function.
 *
 * @param fallback the value if the variable is missing
 * @throws Error if the variable is missing and there is no fallback
 */
export type Environment = (name: string, fallback?: string) => string;

/** Creates one dependency from the environment. It has the dependency's name, so that `{ table, vault }` is a list of wires. */
export type Wire<T> = (environment: Environment) => T;

export type Wires = Readonly<Record<string, Wire<unknown>>>;

/** The dependencies that the wires create, by name. Tests pass doubles instead. */
export type Wired<W extends Wires> = { readonly [Name in keyof W]: ReturnType<W[Name]> };

/** Creates a function's handler from its dependencies. Its `wires` create those dependencies in a deployed function. */
export interface HandlerFactory<W extends Wires, Handler> {
  (dependencies: Wired<W>): Handler;
  readonly wires: W;
}

/** Declares a handler's dependencies and how it is created from them. Reads nothing from the environment yet. */
export function handlerFactory<W extends Wires, Handler>(
  wires: W,
  create: (dependencies: Wired<W>) => Handler,
): HandlerFactory<W, Handler> {
  return Object.assign((dependencies: Wired<W>) => create(dependencies), { wires });
}

/**
 * Creates the handler of a deployed function, once per execution environment. The bundles call it (see `infra/bundling.ts`).
 *
 * @throws Error if a variable is missing, so that a wrong deployment fails before the first request
 */
export function start<W extends Wires, Handler>(build: HandlerFactory<W, Handler>): Handler {
  const dependencies = Object.entries(build.wires).map(([name, wire]) => [name, wire(environment)]);
  return build(Object.fromEntries(dependencies));
}

/** Reads variables in the way that wires do. */
export function environmentOf(variables: Readonly<Record<string, string | undefined>>): Environment {
  return (name, fallback) => {
    const value = variables[name] ?? fallback;
    if (value === undefined) throw new Error(`environment variable ${name} is not set`);
    return value;
  };
}

/** The environment of the running process. */
export const environment: Environment = environmentOf(process.env);
