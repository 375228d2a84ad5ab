// Bundles the style sheet and the script of the pages into frontend/static/frontend/build, plain and
// compressed beside it: whitenoise hands out the compressed file to whoever takes it.
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, context } from "esbuild";

const out = fileURLToPath(new URL("../static/frontend/build/", import.meta.url));
const source = (name) => fileURLToPath(new URL(name, import.meta.url));

const compress = {
  name: "compress",
  setup(builder) {
    builder.onEnd(async (result) => {
      for (const path of Object.keys(result.metafile?.outputs ?? {})) {
        const bytes = await readFile(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        await writeFile(`${path}.br`, brotliCompressSync(bytes, { params }));
      }
    });
  },
};

const options = {
  entryPoints: [source("ts/app.ts"), source("css/app.css")],
  outdir: out,
  entryNames: "[name]",
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox128", "safari17.5"],
  legalComments: "none",
  metafile: true,
  logLevel: "info",
  plugins: [compress],
};

if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  await rm(out, { recursive: true, force: true });
  await build(options);
}
