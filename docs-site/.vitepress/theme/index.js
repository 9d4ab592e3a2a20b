// SPDX-License-Identifier: Apache-2.0
import theme from 'vitepress/theme'
import { onMounted, watch, nextTick } from 'vue'
import { useRoute } from 'vitepress'
import './style.css'

const KEY = 'sparknd-tab'

/** Shows the same language in all tabs, on all pages. */
function show(name) {
  document.querySelectorAll(`.tabs > input[data-tab="${name}"]`).forEach((input) => {
    input.checked = true
  })
}

function restore() {
  const name = localStorage.getItem(KEY)
  if (name) show(CSS.escape(name))
}

export default {
  extends: theme,
  setup() {
    const route = useRoute()
    onMounted(() => {
      restore()
      document.addEventListener('change', (event) => {
        const name = event.target.dataset?.tab
        if (name) {
          localStorage.setItem(KEY, name)
          show(CSS.escape(name))
        }
      })
    })
    watch(
      () => route.path,
      () => nextTick(restore),
    )
  },
}
