/**
 * Reads the variables a function was deployed with. One that is missing is a mistake of the deployment, found when the
 * function starts and not in the middle of a request.
 */
export function environment<Name extends string>(...names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = process.env[name];
      if (value === undefined) throw new Error(`environment variable ${name} is not set`);
      return [name, value];
    }),
  ) as Record<Name, string>;
}
