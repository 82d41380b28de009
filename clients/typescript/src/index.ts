export { type ClientOptions, createClient, dataOf, type TigraphClient } from './client.ts';
export { type Columns, columnsOf, toFloat64 } from './columns.ts';
export { TigraphError } from './error.ts';
export type { Fetch } from './retry.ts';
export type { components, operations, paths } from './schema.ts';
export type { StreamData, StreamItem } from './stream.ts';
export type { Credentials } from './token.ts';
