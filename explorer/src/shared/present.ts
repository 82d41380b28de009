/** Without what is absent or empty, so that addresses stay short. */
export const present = <Part extends object>(
  part: Part,
): { [Name in keyof Part]?: Exclude<Part[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined && value !== ''),
  ) as never;

/** The texts of an address under some names. */
export const textsOf = <Name extends string>(search: Record<string, unknown>, ...names: readonly Name[]) =>
  present(
    Object.fromEntries(
      names.map((name) => [name, typeof search[name] === 'string' ? search[name] : undefined]),
    ) as Record<Name, string | undefined>,
  );
