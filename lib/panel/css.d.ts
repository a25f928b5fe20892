declare module '*.module.css' {
  // An index signature of strings would make each name possibly undefined. `test/panel/styles.test.ts` checks the names.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const classes: Readonly<Record<string, any>>;
  export default classes;
}
declare module '*.css' {}
