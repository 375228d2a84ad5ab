// Answers the calls of tests/e2e/clients/driver.py: one line of JSON in, one out.
import { createInterface } from "node:readline";

/** Serve the functions of a table until the input ends; `explain` tells status, code and message of an error. */
export async function serve(calls, explain) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { call, arguments: given } = JSON.parse(line);
    let answer;
    try {
      answer = { result: (await calls[call](given)) ?? null };
    } catch (error) {
      answer = { error: explain(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
