/** The part of an OpenAPI document that we use. */
export type ApiDescription = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
};

export type Operation = {
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer | { $ref: string }>;
};

export type Schema = Record<string, unknown>;
export type Content = Record<string, { schema?: Schema }>;
export type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
export type Answer = { description: string; headers?: Record<string, unknown>; content?: Content };
