/** Tasks at a time: enough for two workers while the store writes a third result. */
const AHEAD = 4;

/** Results in the order of the inputs, with `ahead` of them under way. */
export async function* inOrder<Input, Output>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  work: (input: Input) => Promise<Output>,
  ahead = AHEAD,
): AsyncIterable<Output> {
  const underWay: Promise<Output>[] = [];
  for await (const input of inputs) {
    const output = work(input);
    // A rejection is thrown where it is awaited; until then it must not count as unhandled.
    output.catch(() => {});
    underWay.push(output);
    if (underWay.length >= ahead) yield await underWay.shift()!;
  }
  for (const output of underWay) yield await output;
}
